import type { Paint, Style } from '../../../display/style.ts';

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
