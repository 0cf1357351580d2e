/** What two addresses of one page have in common: neither the scheme nor a place in the page makes it another. */
export function pageOf(address: string): string {
  const url = parsed(address);
  if (!url) return address;
  const path = url.pathname.replace(/\/+$/, '');
  return `${hostOf(url)}${url.port === '' ? '' : `:${url.port}`}${path}${url.search}`;
}

/** Parts of a country's domain below which names are given away, as in `co.uk`. */
const GIVEN_AWAY = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org']);

/** Whose page it is: `docs.python.org` and `peps.python.org` are one. */
export function domainOf(address: string): string {
  const url = parsed(address);
  if (!url) return address;
  const host = hostOf(url);
  const labels = host.split('.');
  if (labels.length < 3 || /^[\d.]+$|^\[/.test(host)) return host;
  const [top = '', second = ''] = labels.toReversed();
  return labels.slice(top.length === 2 && GIVEN_AWAY.has(second) ? -3 : -2).join('.');
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^www\./, '').replace(/\.$/, '');
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
