/**
 * A list that is immutable to its holder and cheap to extend: appending to the newest version shares the
 * storage, appending to an older one copies it. A step of a session therefore costs the same whatever the
 * length of its history.
 */
export class AppendList<T> {
  readonly #items: T[];
  readonly length: number;

  private constructor(items: T[], length: number) {
    this.#items = items;
    this.length = length;
  }

  static of<T>(items: readonly T[] = []): AppendList<T> {
    return new AppendList([...items], items.length);
  }

  append(more: readonly T[]): AppendList<T> {
    if (more.length === 0) return this;
    const items = this.#items.length === this.length ? this.#items : this.#items.slice(0, this.length);
    for (const item of more) items.push(item);
    return new AppendList(items, items.length);
  }

  at(index: number): T | undefined {
    const position = index < 0 ? this.length + index : index;
    return position < this.length ? this.#items[position] : undefined;
  }

  findLast(match: (item: T, index: number) => boolean): T | undefined {
    for (let i = this.length - 1; i >= 0; i--) {
      const item = this.#items[i] as T;
      if (match(item, i)) return item;
    }
    return undefined;
  }

  /** Whether `other` begins with exactly these items; compares identities, nothing else. */
  isPrefixOf(other: readonly unknown[]): boolean {
    if (other.length < this.length) return false;
    const items = this.#items;
    for (let i = 0; i < this.length; i++) if (items[i] !== other[i]) return false;
    return true;
  }

  toArray(): T[] {
    return this.#items.slice(0, this.length);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#items[i] as T;
  }
}
