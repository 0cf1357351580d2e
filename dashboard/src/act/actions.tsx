import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../frame/me.ts';
import { useConnection } from '../live/use-live.ts';
import { CopyButton } from '../parts/command.tsx';
import { Problem } from '../parts/view.tsx';
import { AskDialog, type Asking, asksFirst } from './ask.tsx';
import { canCarryOut, carryOut } from './carry-out.ts';
import { placeOf } from './places.ts';

/** What can be done next: the first few as buttons, the rest in a menu, each with its command to copy. */
export function Actions({
  actions,
  shown = 3,
}: {
  readonly actions: readonly Asking[];
  readonly shown?: number;
}): ReactElement | null {
  const [asking, setAsking] = useState<Asking>();
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const { live } = useConnection();
  const { readOnly } = useMe();
  const doing = useMutation({
    mutationFn: (action: Asking) => carryOut(action, {}),
    onSuccess: (reply) => {
      void queries.invalidateQueries();
      if (isNewSession(reply)) go(`/sessions/${reply.session}`);
    },
  });
  const usable = actions.filter((action) => placeOf(action) !== undefined || canCarryOut(action));
  const rest = [
    ...usable.slice(shown),
    ...actions.filter((action) => !usable.includes(action) && action.command),
  ];
  const start = (action: Asking) => {
    setOpen(false);
    if (asksFirst(action)) setAsking(action);
    else doing.mutate(action);
  };
  const button = (action: Asking, primary: boolean) => {
    const place = placeOf(action);
    if (place !== undefined)
      return (
        <Link key={keyOf(action)} href={place} className="button">
          {action.label}
        </Link>
      );
    return (
      <button
        key={keyOf(action)}
        type="button"
        className={`button ${action.danger ? 'danger' : primary ? 'primary' : ''}`}
        title={readOnly ? 'This dashboard only shows.' : (action.why ?? undefined)}
        disabled={readOnly || !live || doing.isPending}
        onClick={() => start(action)}
      >
        {action.label}
        {asksFirst(action) ? '…' : ''}
      </button>
    );
  };
  if (actions.length === 0) return null;
  return (
    <div>
      <div className="row">
        {usable.slice(0, shown).map((action, at) => button(action, at === 0))}
        {rest.length === 0 ? null : (
          <div style={{ position: 'relative' }}>
            <button
              type="button"
              className="button plain"
              aria-expanded={isOpen}
              aria-label="More actions"
              onClick={() => setOpen(!isOpen)}
            >
              <Ellipsis size={16} aria-hidden />
            </button>
            {isOpen ? (
              <ul className="menu" onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
                {rest.map((action) => (
                  <li key={keyOf(action)} className="row" style={{ flexWrap: 'nowrap' }}>
                    <span className="grow">{menuEntry(action, start, readOnly || !live)}</span>
                    {action.command ? <CopyButton text={action.command} label="Copy the command" /> : null}
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
        )}
      </div>
      {doing.error ? <Problem error={doing.error} /> : null}
      {asking ? (
        <AskDialog
          action={asking}
          close={() => setAsking(undefined)}
          done={(reply) => isNewSession(reply) && go(`/sessions/${reply.session}`)}
        />
      ) : null}
    </div>
  );
}

function menuEntry(action: Asking, start: (action: Asking) => void, isOff: boolean): ReactElement {
  const place = placeOf(action);
  if (place !== undefined) return <Link href={place}>{action.label}</Link>;
  if (!canCarryOut(action)) return <span className="quiet">{action.label}</span>;
  return (
    <button type="button" disabled={isOff} onClick={() => start(action)}>
      {action.label}
    </button>
  );
}

function keyOf({ id, label, with: input }: Asking): string {
  return [id, label, JSON.stringify(input ?? {})].join(' ');
}

/** A fork is a session of its own: its page is where the person goes on. */
function isNewSession(reply: unknown): reply is { readonly session: string } {
  return typeof reply === 'object' && reply !== null && 'from' in reply && 'session' in reply;
}
