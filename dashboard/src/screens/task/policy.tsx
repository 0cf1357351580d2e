import type { ReactElement } from 'react';
import { visible } from '../../../../src/kernel/visible.ts';

const SAID: readonly (readonly [key: string, words: string])[] = [
  ['discarded', 'Undone, because it may not be changed'],
  ['allowed', 'Allowed on the way'],
];

function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** What became of files that an attempt was not meant to change. */
export function Policy({
  outcome,
}: {
  readonly outcome: { readonly [key: string]: unknown };
}): ReactElement | null {
  const shown = SAID.flatMap(([key, words]) => {
    const paths = listIn(outcome[key]);
    return paths.length === 0 ? [] : [{ words, paths }];
  });
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Path policy">
      {shown.map(({ words, paths }) => (
        <li key={words}>
          {words}:{' '}
          {paths.map((path) => (
            <code key={path}>{visible(path)} </code>
          ))}
        </li>
      ))}
    </ul>
  );
}
