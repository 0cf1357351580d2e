import type { ReactElement } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { PLACES } from './places.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K', 'Find a session, a task or a screen'],
  ...PLACES.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
  ['j k', 'Next, previous'],
  ['Enter', 'Open'],
  ['1 … 9', 'Answer the selected question with that choice'],
  ['r', 'Retry what is selected'],
  ['a', 'Approve what is selected'],
  ['[ ]', 'Previous, next step'],
  ['End', 'Back to what happens now'],
  ['n p', 'Next, previous change'],
  ['c', 'Comment on the selected line'],
  ['Ctrl ]', 'Leave a terminal'],
];

export function HelpDialog({ close }: { readonly close: () => void }): ReactElement {
  return (
    <Dialog title="Keys" close={close}>
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd className="mono">{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
