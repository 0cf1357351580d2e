import type { ReactElement } from 'react';
import { money } from '../../../src/kernel/words.ts';

export function dollars(usd: number, { estimated = false }: { readonly estimated?: boolean } = {}): string {
  return `${estimated ? '~' : ''}$${money(usd)}`;
}

export function Money({
  usd,
  estimated = false,
}: {
  readonly usd: number;
  readonly estimated?: boolean;
}): ReactElement {
  return (
    <span className="number" title={estimated ? 'estimated from list prices' : undefined}>
      {dollars(usd, { estimated })}
    </span>
  );
}

/** A large number as people read it: 18.2k. */
export function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [size, unit] = count < 1e6 ? [1000, 'k'] : [1e6, 'M'];
  return `${(count / size).toFixed(count / size < 100 ? 1 : 0).replace(/\.0$/, '')}${unit}`;
}
