import { UsageError } from '../../kernel/errors.ts';

/** What the address of a remote repository names. */
export interface RepositoryName {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** Reads `https://host/owner/name(.git)`, `git@host:owner/name`, `ssh://…` and paths, whose host is `local`. */
export function readRepositoryUrl(url: string): RepositoryName {
  const trimmed = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  if (trimmed === '') {
    throw new UsageError('REPO_URL is not set, so there is no repository to clone.', {
      next: 'Set REPO_URL (repository.url in .loopwright/config.json), or another REPO_MODE.',
    });
  }
  const { host, path } = placeOf(trimmed);
  const [owner = '', name = ''] = path
    .split('/')
    .filter((part) => part !== '')
    .slice(-2);
  const plain = /^[\w.-]+$/;
  if (plain.test(owner) && plain.test(name) && plain.test(host)) return { host, owner, name };
  throw new UsageError(`REPO_URL is "${withoutPassword(url)}", which names no owner and repository.`, {
    next: 'It should look like https://github.com/<owner>/<name> or git@github.com:<owner>/<name>.git.',
  });
}

function placeOf(url: string): { host: string; path: string } {
  const full = /^[a-z][a-z+.-]*:\/\/(?:[^/@]*@)?([^/:]*)(?::\d+)?\/(.*)$/i.exec(url);
  if (full) return { host: full[1] || 'local', path: full[2] ?? '' };
  const short = /^(?:[^/@:]+@)?([^/:]+):(.+)$/.exec(url);
  return short ? { host: short[1] ?? '', path: short[2] ?? '' } : { host: 'local', path: url };
}

/** An address as it may be shown. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z+.-]*:\/\/)[^/@\s]*@/gi, '$1');
}
