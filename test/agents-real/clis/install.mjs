// Plain Node: brings the agent CLIs into a cache folder. Pinned by the package.json beside it; to try another
// version of one of them, `LOOPWRIGHT_CLI_<NAME>=<version>` (such as LOOPWRIGHT_CLI_CLAUDE=latest).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const pinned = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const npm = process.env.npm_execpath;

// Not `npm ci`: it refuses a lockfile made where a registry lacks the binaries of other platforms.
// By itself npm tries for many minutes to reach a registry that is not there.
const NPM_ARGS = [
  'install',
  '--no-save',
  '--no-progress',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];
const INSTALL_MS = 10 * 60_000;

export const packages = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  qwen: '@qwen-code/qwen-code',
  pi: '@earendil-works/pi-coding-agent',
  copilot: '@github/copilot',
  cn: '@continuedev/cli',
};

/** The folder of the commands and their versions; throws with the reason when a CLI cannot be had. */
export function installClis(cacheDir, say) {
  const other = otherVersions();
  const tried = Object.keys(other).length > 0;
  const folder = join(cacheDir, tried ? 'tried' : 'pinned');
  const wanted = { ...pinned, dependencies: { ...pinned.dependencies, ...other } };
  // What "latest" is can change at any time, so only the pinned ones are taken as they lie there.
  if (tried || !isInstalled(folder, digest(wanted))) {
    say(`Installing the agent CLIs (1.8 GB, once): ${list(wanted.dependencies)}...`);
    install(folder, wanted);
  }
  return { bin: join(folder, 'node_modules', '.bin'), versions: versionsIn(folder) };
}

function otherVersions() {
  const chosen = Object.entries(packages).map(([cli, name]) => [
    name,
    process.env[`LOOPWRIGHT_CLI_${cli.toUpperCase()}`],
  ]);
  return Object.fromEntries(chosen.filter(([, version]) => version));
}

function isInstalled(folder, stamp) {
  const file = join(folder, 'stamp');
  return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

function install(folder, wanted) {
  // First the stamp: an install that is cut off must not look like a finished one.
  rmSync(join(folder, 'stamp'), { force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted, undefined, 2));
  copyFileSync(join(here, 'package-lock.json'), join(folder, 'package-lock.json'));
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...first, ...NPM_ARGS, '--prefix', folder], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_MS,
  });
  if (done.status !== 0) {
    throw new Error(
      `npm could not install them.\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`,
    );
  }
  writeFileSync(join(folder, 'stamp'), digest(wanted));
}

/** Asks each command itself: a package whose binary for this platform is missing does not answer. */
function versionsIn(folder) {
  return Object.fromEntries(
    Object.entries(packages).map(([cli, name]) => {
      const installed = JSON.parse(
        readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'),
      ).version;
      const home = join(tmpdir(), `loopwright-cli-version-${process.pid}`);
      const asked = spawnSync(join(folder, 'node_modules', '.bin', cli), ['--version'], {
        encoding: 'utf8',
        timeout: INSTALL_MS,
        env: { PATH: process.env.PATH, HOME: home },
      });
      rmSync(home, { recursive: true, force: true });
      // pi prints its version to where errors go.
      if (asked.status !== 0 || !`${asked.stdout}${asked.stderr}`.includes(installed)) {
        throw new Error(
          `${cli} ${installed} does not run here: ${asked.stdout ?? ''}${asked.stderr ?? ''}${asked.error ?? ''}`,
        );
      }
      return [cli, { installed, pinned: pinned.dependencies[name] }];
    }),
  );
}

function list(dependencies) {
  return Object.entries(packages)
    .map(([cli, name]) => `${cli} ${dependencies[name]}`)
    .join(', ');
}

function digest(wanted) {
  return createHash('sha256')
    .update(JSON.stringify([process.platform, process.arch, wanted]))
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
}
