/** As many characters of its random end as tell an id apart from thousands of others, and can still be typed. */
const SHORT = 6;
const WHOLE = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Not one that is a part of a path, a ref or a longer name: those are taken literally by whoever reads them. */
const ALONE = /(?<![\w/.:@-])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![\w/@-]|[.:]\w)/g;

/**
 * An id as a person reads and types it: its end, because ids of one day begin alike. Longer where another of those
 * beside it ends alike; a name that is no id of ours stays as it is.
 */
export function shortId(id: string, among: readonly string[] = []): string {
  if (!WHOLE.test(id)) return id;
  const others = among.filter((other) => other !== id);
  let length = SHORT;
  while (length < id.length && others.some((other) => other.endsWith(id.slice(-length)))) length++;
  return id.slice(-length);
}

/** A text of ours with every id in it as a person reads it. */
export function shortenIds(text: string): string {
  const among = text.match(ALONE);
  return among === null ? text : text.replace(ALONE, (id) => shortId(id, among));
}

/** All ids that stand in some texts. */
export function idsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(ALONE) ?? []);
}
