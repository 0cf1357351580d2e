const SPECIAL = /[*?[\]\\]/;
const BY_EXTENSION = /^\*(\.[^*?[\]\\.]+)$/;

/**
 * Tells quickly that no line of a `.gitignore` can match a path, which is so for nearly every file. A line
 * matches a path only if its last part matches the path's last name, and everything that a line says before
 * its first wildcard is there; what lies in an ignored folder is never asked for.
 */
export class NameFilter {
  readonly #names = new Set<string>();
  readonly #extensions = new Set<string>();
  /** How a name begins and ends. */
  readonly #affixes: (readonly [string, string])[] = [];
  /** How a path begins. */
  readonly #beginnings: string[] = [];
  readonly #foldsCase: boolean;
  #any = false;

  constructor(rules: string, options: { readonly foldsCase: boolean }) {
    this.#foldsCase = options.foldsCase;
    for (const line of rules.split(/\r?\n/)) this.#add(options.foldsCase ? line.toLowerCase() : line);
  }

  /** `path` is relative to the folder of the rules from `start` on; undefined when that is not known. */
  mayMatch(name: string, path: string | undefined, start: number): boolean {
    if (this.#any) return true;
    const wanted = this.#foldsCase ? name.toLowerCase() : name;
    if (this.#names.has(wanted)) return true;
    const dot = wanted.lastIndexOf('.');
    if (dot >= 0 && this.#extensions.has(wanted.slice(dot))) return true;
    for (const [head, tail] of this.#affixes)
      if (wanted.startsWith(head) && wanted.endsWith(tail)) return true;
    if (this.#beginnings.length === 0) return false;
    if (path === undefined || this.#foldsCase) return true;
    return this.#beginnings.some((beginning) => path.startsWith(beginning, start));
  }

  #add(line: string): void {
    if (line.trim() === '' || line.startsWith('#')) return;
    const pattern = line.replace(/^!/, '').replace(/ +$/, '').replace(/\/$/, '');
    const last = pattern.slice(pattern.lastIndexOf('/') + 1);
    const extension = BY_EXTENSION.exec(last)?.[1];
    const [head, tail] = [last.split(SPECIAL)[0] ?? '', last.split(SPECIAL).at(-1) ?? ''];
    if (extension !== undefined) this.#extensions.add(extension);
    else if (!SPECIAL.test(last)) this.#names.add(last);
    else if (head !== '' || tail !== '') this.#affixes.push([head, tail]);
    else this.#addBeginning(pattern.replace(/^\//, ''));
  }

  /** A line with a slash in it holds from its own folder on. */
  #addBeginning(pattern: string): void {
    const beginning = pattern.split(SPECIAL)[0] ?? '';
    // Paths are not bytes as the rules are: beyond ASCII they are not compared.
    if (!beginning.includes('/') || /[^\0-\x7f]/.test(beginning)) this.#any = true;
    else this.#beginnings.push(beginning);
  }
}
