import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Works on a machine whose user never configured git. */
const PERSON = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
};

export class TestRepo {
  /** Everything of the test is below; removed by `dispose`. */
  readonly base: string;
  readonly dir: string;

  constructor(name = 'my repo ü', base: string = realpathSync(mkdtempSync(join(tmpdir(), 'lw-git-')))) {
    this.base = base;
    this.dir = join(base, name);
    mkdirSync(this.dir, { recursive: true });
    this.git('init', '-q', '-b', 'main');
  }

  git(...args: string[]): string {
    return this.gitIn(this.dir, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...PERSON },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  put(path: string, content: string | Buffer, mode = 0o644): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }

  commit(message = 'change'): string {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD').trim();
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
