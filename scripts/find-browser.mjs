import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A browser that is there; else one is installed the way this system can; undefined where none can be had. */
export function findBrowser(say) {
  const named = process.env.CHROME_PATH;
  if (named) return existsSync(named) ? named : undefined;
  return thereAlready() ?? installed(say);
}

function thereAlready() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
  return (
    found ??
    PLACES.find(isProgram) ??
    (isProgram(chromium.executablePath()) ? chromium.executablePath() : undefined)
  );
}

function installed(say) {
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    say('Installing Chromium (only on the first run)...');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { env });
    spawnSync('apt-get', ['install', '-qq', '-y', 'chromium'], { env });
  } else {
    say('Downloading Chromium (only on the first run)...');
    spawnSync(process.execPath, [
      join(dirname(fileURLToPath(import.meta.url)), '../node_modules/playwright-core/cli.js'),
      'install',
      'chromium',
    ]);
  }
  return thereAlready();
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
