import type { ReactElement } from 'react';
import { CopyCommand } from '../parts/command.tsx';

/** Without both halves of the key there is nothing to show, but how to get them. */
export function LoggedOut({ problem }: { readonly problem: string }): ReactElement {
  return (
    <main className="main stack" style={{ maxWidth: 520, margin: '10vh auto' }}>
      <h1>This page needs a fresh address</h1>
      <p>{problem}</p>
      <p className="quiet">
        An address works once, and only while the server that printed it runs. Ask for another one in the
        folder of the project:
      </p>
      <div>
        <CopyCommand command="loopwright ui --url" />
      </div>
    </main>
  );
}
