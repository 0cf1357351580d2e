import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { visible } from '../../../../src/kernel/visible.ts';
import { call } from '../../api/call.ts';
import { useMe } from '../../frame/me.ts';
import { Problem } from '../../parts/view.tsx';

/** What an agent asks, to be answered here. */
export function Question({
  session,
  task,
  question,
  choices,
}: {
  readonly session: string;
  readonly task: string;
  readonly question: string;
  readonly choices: readonly string[];
}): ReactElement {
  const [answer, setAnswer] = useState('');
  const { readOnly } = useMe();
  const sending = useMutation({
    mutationFn: (text: string) =>
      call('answer', { params: { id: session, task }, body: { text }, once: crypto.randomUUID() }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(answer);
  };
  return (
    <div className="question">
      <pre>{visible(question)}</pre>
      <div className="row">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            className="button"
            disabled={readOnly || sending.isPending}
            onClick={() => sending.mutate(choice)}
          >
            {choice}
          </button>
        ))}
      </div>
      <form className="row" onSubmit={submit}>
        <input
          className="grow"
          aria-label="Your answer"
          value={answer}
          onChange={({ target: { value } }) => setAnswer(value)}
        />
        <button type="submit" className="button primary" disabled={readOnly || sending.isPending}>
          Answer
        </button>
      </form>
      {sending.error ? <Problem error={sending.error} /> : null}
    </div>
  );
}
