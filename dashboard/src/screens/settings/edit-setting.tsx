import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/view.tsx';
import { shown } from './shown.ts';

type Setting = ReplyOf<'settings'>['settings'][number];

/** Reads what was typed as what the setting is. */
function readAs(text: string, { value }: Setting): string | number | boolean | string[] {
  if (typeof value === 'number') return Number(text);
  if (typeof value === 'boolean') return text === 'true';
  if (typeof value === 'object')
    return text
      .split(/[\n,]/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return text;
}

/** Writes one setting into the project's own file, after showing what that file would say. */
export function EditSetting({
  setting,
  close,
}: {
  readonly setting: Setting | undefined;
  readonly close: () => void;
}): ReactElement | null {
  const [text, setText] = useState(setting ? shown(setting.value) : '');
  const queries = useQueryClient();
  const writing = useMutation({
    mutationFn: (value: string | number | boolean | string[] | null) =>
      call('setSetting', { body: { key: setting?.key ?? '', value } }),
    onSuccess: () => {
      askAgain(queries, 'settings');
      close();
    },
  });
  if (!setting) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    writing.mutate(readAs(text, setting));
  };
  return (
    <Dialog title={setting.key} close={close}>
      <form onSubmit={submit} style={{ padding: 0 }}>
        <p className="quiet">{setting.meaning}</p>
        <label className="field">
          <span>Value</span>
          {typeof setting.value === 'boolean' ? (
            <select value={text} onChange={({ target: { value } }) => setText(value)}>
              <option>true</option>
              <option>false</option>
            </select>
          ) : (
            <input value={text} onChange={({ target: { value } }) => setText(value)} />
          )}
        </label>
        <p>
          .loopwright/config.json will say{' '}
          <code>
            "{setting.key}": {JSON.stringify(readAs(text, setting))}
          </code>
        </p>
        {writing.error ? <Problem error={writing.error} /> : null}
        <div className="row">
          <button type="submit" className="button primary" disabled={writing.isPending}>
            Write it
          </button>
          {setting.source === 'file' ? (
            <button type="button" className="button" onClick={() => writing.mutate(null)}>
              Back to the default
            </button>
          ) : null}
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
