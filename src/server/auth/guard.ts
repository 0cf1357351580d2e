import type { IncomingHttpHeaders } from 'node:http';

/** What a request says about where it comes from. */
export interface Asked {
  readonly method: string;
  readonly headers: Pick<IncomingHttpHeaders, 'host' | 'origin' | 'authorization' | 'cookie'> & {
    readonly 'sec-fetch-site'?: string | undefined;
  };
  readonly upgrade?: boolean;
}

export interface Allowed {
  /** Names besides those of this machine, as a proxy or a tunnel calls it. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly scheme: 'http' | 'https';
}

const HERE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const OWN_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Why a request is refused before anything is looked at, in words; undefined: it may come from us. Anything a browser
 * loads can send requests to this machine, under a name that somebody else gave it.
 */
export function objectionTo(
  { method, headers, upgrade = false }: Asked,
  allowed: Allowed,
): string | undefined {
  const { host } = headers;
  if (host === undefined || !isOurHost(host, allowed.hosts)) return 'This server is not called by that name.';
  if (method === 'OPTIONS') return 'No other page is asked in.';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !OWN_SITE.has(site)) return 'This comes from another page.';
  const { origin } = headers;
  if (origin !== undefined)
    return isOurOrigin(origin, host, allowed) ? undefined : 'This comes from another page.';
  const isScript = headers.authorization !== undefined && headers.cookie === undefined;
  const mustSay = upgrade || !SAFE.has(method);
  return mustSay && !isScript ? 'This does not say which page it comes from.' : undefined;
}

function isOurHost(host: string, more: readonly string[]): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase();
  return name !== undefined && (HERE.has(name) || more.some((each) => each === name || each === host));
}

function isOurOrigin(origin: string, host: string, { scheme, origins }: Allowed): boolean {
  return origin === `${scheme}://${host}` || origins.includes(origin);
}
