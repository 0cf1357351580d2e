import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactElement, type ReactNode } from 'react';
import { Refused } from '../api/call.ts';
import { CopyCommand } from './command.tsx';

/** What was refused or went wrong, with the way on, as the command line says it. */
export function Problem({
  error,
  again,
}: {
  readonly error: Error;
  readonly again?: () => void;
}): ReactElement {
  const next = error instanceof Refused ? error.next : undefined;
  // What cannot be had in this state is nothing that went wrong.
  const isState = error instanceof Refused && error.code === 'conflict';
  return (
    <div className={isState ? 'problem state' : 'problem'} role={isState ? undefined : 'alert'}>
      <p>{error.message}</p>
      {next ? <p className="quiet">{next.label}</p> : null}
      {next?.command === undefined ? null : <CopyCommand command={next.command} />}
      {again && !isState ? (
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** Loading, refused or there: every view says which. What was there before stays while it is asked for again. */
export function View<T>({
  of,
  children,
}: {
  readonly of: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}): ReactElement {
  if (of.data !== undefined && of.error === null) return <>{children(of.data)}</>;
  if (of.error) return <Problem error={of.error} again={() => void of.refetch()} />;
  return (
    <div className="skeleton" aria-busy="true">
      <span className="sr">Loading</span>
    </div>
  );
}

export function Empty({
  children,
  command,
}: {
  readonly children: ReactNode;
  readonly command?: string;
}): ReactElement {
  return (
    <div className="empty">
      <p>{children}</p>
      {command === undefined ? null : <CopyCommand command={command} />}
    </div>
  );
}

/** A part of the page that fails does not take the rest with it. */
export class Fence extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override readonly state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Problem error={error} again={() => location.reload()} /> : this.props.children;
  }
}

export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section className="panel">
      <div className="title">
        <h2 className="grow">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
