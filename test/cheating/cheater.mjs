// An agent that cheats: its file says how, as a module whose default export gets a few tools and the prompt.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const [script, prompt = ''] = process.argv.slice(2).filter((word) => word !== '--');
const { default: act } = await import(pathToFileURL(script).href);
// Whoever asks only for words gets words; asked to mend it, the cheat stays what it is.
if (!prompt.includes('Bring the documentation'))
  await act({
    prompt,
    write(path, text, mode = 0o644) {
      if (dirname(path) !== '.') mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode });
    },
    edit(path, find, replacement) {
      const text = readFileSync(path, 'utf8');
      // Told to mend it, it has done its part already.
      if (text.includes(replacement)) return;
      writeFileSync(
        path,
        text.replace(find, () => replacement),
      );
    },
    remove: (path) => rmSync(path, { force: true }),
    git: (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]),
    daemon(code) {
      spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore' }).unref();
    },
  });
process.stdout.write('All tests pass now.\n');
