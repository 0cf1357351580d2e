import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { Action, Need } from '../../../src/kernel/action.ts';
import { CopyCommand } from '../parts/command.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/view.tsx';
import { word } from '../text/word.ts';
import { carryOut, type Given } from './carry-out.ts';

const ASKS: { readonly [need in Need]: string } = {
  guidance: 'What should the next worker know?',
  answer: 'Your answer',
  budget: 'The larger budget, such as usd=5,steps=80',
  name: 'Its id, to be sure',
  notes: 'What should be done differently?',
  reason: 'Why?',
  allow: 'Paths that may change, one a line',
};

export type Asking = Action & { readonly command?: string };

/** A stand-in such as `<reason>` is no answer: it is asked for. */
function openIn({ needs = [], with: input = {} }: Action): readonly string[] {
  const stands = Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string' && /^<.*>$/.test(value) ? [name] : [],
  );
  return [...new Set([...needs, ...stands])];
}

/** What is proposed for it, to be changed or left. */
function suggested({ with: input = {} }: Action, name: string): string {
  const value = input[name];
  return typeof value === 'string' && !/^<.*>$/.test(value) ? value : '';
}

export function asksFirst(action: Action): boolean {
  return action.danger === true || openIn(action).length > 0;
}

/** Asks for what an action needs, says what it would do, and does it. */
export function AskDialog({
  action,
  close,
  done,
}: {
  readonly action: Asking;
  readonly close: () => void;
  readonly done?: (reply: unknown) => void;
}): ReactElement {
  const queries = useQueryClient();
  const [given, setGiven] = useState<Given>({});
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const target = word(action.with?.['session'] ?? action.with?.['task']);
  const open = openIn(action);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const words = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        name === 'allow'
          ? word(value)
              .split('\n')
              .filter((line) => line.trim() !== '')
          : value,
      ]),
    );
    const sure =
      action.danger === true || action.with?.['unproven'] === true ? { confirm: given['confirm'] } : {};
    void finish(carryOut(action, { ...words, ...sure }));
  };
  const finish = async (doing: Promise<unknown>) => {
    try {
      const reply = await doing;
      void queries.invalidateQueries();
      done?.(reply);
      close();
    } catch (refused) {
      setBusy(false);
      setError(refused instanceof Error ? refused : new Error(word(refused)));
    }
  };
  const mustConfirm = action.danger === true || action.with?.['unproven'] === true;
  return (
    <Dialog title={action.label} close={close}>
      <form onSubmit={submit} style={{ padding: 0 }}>
        {action.why === undefined ? null : <p className="quiet">{action.why}</p>}
        {open.map((name) => (
          <label key={name} className="field">
            <span>{ASKS[name as Need] ?? (name === 'suspicious' ? 'Why is it all right?' : name)}</span>
            <textarea
              rows={name === 'guidance' || name === 'notes' ? 5 : 2}
              defaultValue={suggested(action, name)}
              onChange={({ target: { value } }) => setGiven({ ...given, [name]: value })}
            />
          </label>
        ))}
        {mustConfirm ? (
          <label className="field">
            <span>
              This cannot be taken back. Type <code>{target}</code> to do it.
            </span>
            <input
              autoComplete="off"
              onChange={({ target: { value } }) => setGiven({ ...given, confirm: value.trim() })}
            />
          </label>
        ) : null}
        {error ? <Problem error={error} /> : null}
        <div className="row">
          <button
            type="submit"
            className={`button ${action.danger ? 'danger' : 'primary'}`}
            disabled={busy || (mustConfirm && given['confirm'] !== target)}
          >
            {busy ? 'Working…' : action.label}
          </button>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
        </div>
        {action.command === undefined ? null : <CopyCommand command={action.command} />}
      </form>
    </Dialog>
  );
}
