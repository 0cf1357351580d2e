export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

export function makeStyle(color: boolean): Style {
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

export function statePaint({ state }: { readonly state: string }, style: Style): Paint {
  switch (state) {
    case 'running':
      return style.cyan;
    case 'done':
      return style.green;
    case 'failed':
      return style.red;
    case 'blocked':
      return style.yellow;
    default:
      return style.dim;
  }
}
