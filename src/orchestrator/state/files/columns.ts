type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;
type Kind = new (length: number) => Numbers;

const FIRST = 64;

/** Rows of numbers kept by column: a few bytes for what an object would need hundreds for. */
export class Columns<Name extends string> {
  readonly #kinds: readonly (readonly [Name, Kind])[];
  readonly #columns = new Map<Name, Numbers>();
  #room = 0;
  #size = 0;

  constructor(kinds: { readonly [name in Name]: Kind }) {
    this.#kinds = Object.entries(kinds) as [Name, Kind][];
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return [...this.#columns.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  add(row: { readonly [name in Name]: number }): void {
    if (this.#size === this.#room) this.#grow();
    for (const [name] of this.#kinds) this.#column(name)[this.#size] = row[name];
    this.#size++;
  }

  at(row: number, name: Name): number {
    return this.#column(name)[row] ?? 0;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Gives back what is not used: most are read once and grow no more. */
  fit(): void {
    if (this.#room > this.#size + FIRST) this.#resize(this.#size + FIRST);
  }

  #grow(): void {
    this.#resize(Math.max(FIRST, Math.ceil(this.#room * 1.5)));
  }

  #resize(room: number): void {
    this.#room = room;
    for (const [name, Kind] of this.#kinds) {
      const other = new Kind(room);
      const before = this.#columns.get(name);
      if (before) other.set(before.subarray(0, this.#size));
      this.#columns.set(name, other);
    }
  }

  #column(name: Name): Numbers {
    const column = this.#columns.get(name);
    if (!column) throw new RangeError(`There is no column ${name} yet.`);
    return column;
  }
}

/** Texts that repeat, each kept once and known by a number; 0 is none. */
export class Words {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#texts.push(text);
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.length;
  }

  textOf(number: number): string | null {
    return number === 0 ? null : (this.#texts[number - 1] ?? null);
  }
}
