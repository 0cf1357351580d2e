/** Status, position, attributes, modes, version, keyboard, sizes, colours, settings. */
const QUERY = new RegExp(
  [
    String.raw`\[\??[56]n`,
    String.raw`\[[>=]?0?c`,
    String.raw`\[\??\d+\$p`,
    String.raw`\[>0?q`,
    String.raw`\[\?u`,
    String.raw`\[1[148]t`,
    String.raw`\]1[0-2];\?`,
    String.raw`P[$+]q`,
  ]
    .map((query) => `\u001b${query}`)
    .join('|'),
);
const LONGEST = 12;

/** Tells whether a program asks its terminal something that it waits for, even when the question is cut in two. */
export class QueryScan {
  #end = '';

  push(raw: string): boolean {
    const border = this.#end + raw.slice(0, LONGEST);
    this.#end = raw.length < LONGEST ? (this.#end + raw).slice(-LONGEST) : raw.slice(-LONGEST);
    if (!QUERY.test(border) && !QUERY.test(raw)) return false;
    this.#end = '';
    return true;
  }
}
