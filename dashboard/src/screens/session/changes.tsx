import { lazy, type ReactElement, Suspense, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import type { Pointed } from '../../diff/open-diff.ts';
import { useKeys } from '../../frame/keys.ts';
import { Empty, View } from '../../parts/view.tsx';
import { CommentForm } from '../../review/comment-form.tsx';
import { FileComments } from '../../review/file-comments.tsx';
import { SendReview } from '../../review/send-review.tsx';
import { type Comment, useReview } from '../../review/use-review.ts';
import type { TabProps } from './page.ts';

const FileDiff = lazy(() => import('../../diff/file-diff.tsx'));

const LOCK = /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|.*\.lock)$/;
const MANY = 2000;

/** What a session changed: all of it, or in one step. */
export default function Changes({ session }: TabProps): ReactElement {
  const { id } = session;
  const reviewing = useReview(id);
  const [pointed, setPointed] = useState<Pointed>();
  const [search, setSearch] = useSearchParams();
  const step = search.get('step');
  const query = step === null ? {} : { step: Number(step) };
  const diff = useRoute('diff', { params: { id }, query });
  const files = useMemo(() => diff.data?.files ?? [], [diff.data]);
  const chosen = search.get('file') ?? files.find(({ path }) => !LOCK.test(path))?.path ?? files[0]?.path;
  const set = (changes: { readonly [name: string]: string | undefined }) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined) after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  const view = search.get('view') === 'split' ? 'split' : 'unified';
  const keys = useMemo(() => {
    const at = files.findIndex(({ path }) => path === chosen);
    return {
      j: () => files[at + 1] && set({ file: files[at + 1]?.path }),
      k: () => files[at - 1] && set({ file: files[at - 1]?.path }),
    };
    // `set` only sets the address.
  }, [files, chosen]);
  useKeys(keys);
  const add = (path: string, { side, from, to, quote }: Pointed, text: string) => {
    const comment: Comment = {
      id: crypto.randomUUID(),
      path,
      side,
      from,
      to,
      quote,
      step: session.step,
      text,
      state: 'draft',
    };
    reviewing.save({ comments: [...(reviewing.review?.comments ?? []), comment] });
  };
  return (
    <View of={diff}>
      {({ insertions, deletions }) =>
        files.length === 0 ? (
          <Empty>{step === null ? 'Nothing was changed.' : `Step ${step} changed no file.`}</Empty>
        ) : (
          <div className="stack">
            <div className="row">
              <span className="grow">
                {files.length} {files.length === 1 ? 'file' : 'files'}{' '}
                <span className="plus">+{insertions}</span> <span className="minus">−{deletions}</span>
                {step === null ? '' : ` in step ${step}`}
              </span>
              {step === null ? null : (
                <button
                  type="button"
                  className="button"
                  onClick={() => set({ step: undefined, file: undefined })}
                >
                  All changes
                </button>
              )}
              <div className="chips">
                {(['unified', 'split'] as const).map((one) => (
                  <button
                    key={one}
                    type="button"
                    className="chip"
                    aria-pressed={view === one}
                    onClick={() => set({ view: one })}
                  >
                    {one}
                  </button>
                ))}
              </div>
            </div>
            <SendReview session={session} reviewing={reviewing} />
            <div className="changes">
              <ul className="panel files" aria-label="Changed files">
                {files.map(({ path, kind, insertions: plus, deletions: minus, binary }) => (
                  <li key={path}>
                    <button
                      type="button"
                      aria-current={path === chosen ? 'true' : undefined}
                      onClick={() => set({ file: path })}
                    >
                      <span className="clip grow" title={path}>
                        {path}
                      </span>
                      <span className="quiet">{kind === 'modified' ? '' : kind}</span>
                      {binary ? (
                        <span className="quiet">binary</span>
                      ) : (
                        <span className="number">
                          <span className="plus">+{plus}</span> <span className="minus">−{minus}</span>
                        </span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
              <div className="stack">
                {chosen === undefined ? null : <FileComments path={chosen} reviewing={reviewing} />}
                {pointed && chosen !== undefined ? (
                  <CommentForm
                    key={`${chosen} ${pointed.side} ${pointed.from}`}
                    place={`${chosen}:${pointed.from}`}
                    quote={pointed.quote}
                    close={() => setPointed(undefined)}
                    save={(text) => add(chosen, pointed, text)}
                  />
                ) : null}
                <Suspense fallback={<div className="skeleton" />}>
                  {chosen === undefined ? null : (
                    <FileDiff
                      key={`${chosen} ${step ?? ''} ${view}`}
                      session={id}
                      query={query}
                      path={chosen}
                      view={view}
                      point={setPointed}
                      folded={LOCK.test(chosen) || size(files.find(({ path }) => path === chosen)) > MANY}
                    />
                  )}
                </Suspense>
              </div>
            </div>
          </div>
        )
      }
    </View>
  );
}

function size(file: { readonly insertions: number; readonly deletions: number } | undefined): number {
  return file ? file.insertions + file.deletions : 0;
}
