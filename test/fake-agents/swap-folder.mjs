// Swaps a folder for a symlink to another one and back, as fast as it can, until it is killed or left alone.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

const [, , folder, target] = process.argv;
const aside = `${folder}.aside`;

// Somebody else writes there at the same time, so any single step may fail; the next round tries again.
const attempt = (step) => {
  try {
    step();
  } catch (error) {
    if (!error.code) throw error;
  }
};

process.stdout.write('ready\n');
const parent = process.ppid;
while (process.ppid === parent) {
  attempt(() => renameSync(folder, aside));
  attempt(() => symlinkSync(target, folder));
  attempt(() => unlinkSync(folder));
  attempt(() => renameSync(aside, folder));
  attempt(() => rmSync(aside, { recursive: true, force: true }));
  attempt(() => mkdirSync(folder));
}
