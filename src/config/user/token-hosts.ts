import * as z from 'zod';

/** `github.com`, `git.example.com:8443`; with `http://` only an address of this machine, where nobody listens in. */
export const tokenHost = z.string().refine((said) => originsOf(said).length > 0, {
  error:
    'must be a host such as "github.com"; http:// is for addresses of this machine only, such as "http://127.0.0.1:8080"',
});

/**
 * Whether a token may be sent to an address: to a listed host and to its API (`api.<host>`), over https. Nothing that
 * a project says can add to the list.
 */
export function mayHaveToken(url: string, hosts: readonly string[]): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed !== undefined && hosts.flatMap(originsOf).includes(parsed.origin);
}

function originsOf(said: string): string[] {
  const [, scheme = 'https:', host = ''] = /^(?:(https?:)\/\/)?([^/@\s]+)\/?$/i.exec(said.trim()) ?? [];
  const url = `${scheme}//${host}`;
  if (host === '' || !URL.canParse(url)) return [];
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === 'http:') return isLoopback(hostname) ? [origin] : [];
  return [origin, new URL(`https://api.${host}`).origin];
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
