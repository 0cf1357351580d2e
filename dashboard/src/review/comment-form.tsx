import { type FormEvent, type ReactElement, useState } from 'react';
import { visible } from '../../../src/kernel/visible.ts';

/** A comment on lines of a file, with the code it is about. */
export function CommentForm({
  place,
  quote,
  save,
  close,
}: {
  readonly place: string;
  readonly quote: string;
  readonly save: (text: string) => void;
  readonly close: () => void;
}): ReactElement {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') save(text);
    close();
  };
  return (
    <form
      className="comment-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <label className="field">
        <span>Comment on {place}</span>
        <pre className="lines" tabIndex={0}>
          {visible(quote)}
        </pre>
        <textarea
          rows={3}
          value={text}
          // It was opened to write here.
          autoFocus
          onChange={({ target: { value } }) => setText(value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="button primary">
          Keep it
        </button>
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <span className="quiet">Nobody sees it before you send the review.</span>
      </div>
    </form>
  );
}
