/** A host a child may reach: `api.example.com`, `*.example.com`, with or without `:port`. */
export function isAllowedHost(allowed: readonly string[], host: string, port: number): boolean {
  const name = plain(host);
  return allowed.some((entry) => {
    const [pattern, only] = split(entry);
    if (only !== undefined && only !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

/** The ports of this machine among the hosts, each once: a model server that runs beside us. */
export function loopbackPorts(allowed: readonly string[]): number[] {
  const ports = allowed.flatMap((entry) => {
    const [host, port] = split(entry);
    return port !== undefined && isLoopback(host) ? [port] : [];
  });
  return [...new Set(ports)];
}

/** The host and port that an address names; undefined: it is none. */
export function hostOfUrl(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return isLoopback(plain(url.hostname)) ? `${plain(url.hostname)}:${portOf(url)}` : plain(url.hostname);
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}

function split(entry: string): [string, number | undefined] {
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return [plain(host), port === undefined ? undefined : Number(port)];
}

/** Names are compared as they are meant: any case, no final dot, no brackets. */
function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');
}
