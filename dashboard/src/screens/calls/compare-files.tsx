import { useQueries } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { routeKey, useRoute } from '../../api/use-route.ts';
import { Sides } from '../../diff/file-diff.tsx';
import { Empty, View } from '../../parts/view.tsx';
import type { Experiment } from './experiment-list.tsx';
import type { Original } from './experiment-page.tsx';

/** The files as the call left them, and as the experiment did. */
export function CompareFiles({
  original: { session, step },
  experiment,
}: {
  readonly original: Original;
  readonly experiment: Experiment;
}): ReactElement {
  const copied = experiment.on === 'copy';
  const changed = useRoute('diff', { params: { id: session }, query: { step } }, { enabled: copied });
  if (!copied) return <Empty>The files before this step were not kept: it only read the project.</Empty>;
  return (
    <View of={changed}>
      {({ files }) => (
        <FilesOf
          session={session}
          step={step}
          paths={files.map(({ path }) => path)}
          experiment={experiment}
        />
      )}
    </View>
  );
}

function FilesOf({
  session,
  step,
  paths,
  experiment: { files },
}: {
  readonly session: string;
  readonly step: number;
  readonly paths: readonly string[];
  readonly experiment: Experiment;
}): ReactElement {
  const first = useQueries({
    queries: paths.map((path) => {
      const asked = { params: { id: session }, query: { step, path } };
      return { queryKey: routeKey('diffFile', asked), queryFn: () => call('diffFile', asked) };
    }),
  });
  const all = [...new Set([...paths, ...files.map(({ path }) => path)])].sort();
  if (all.length === 0) return <Empty>Neither of them changed a file.</Empty>;
  return (
    <>
      {all.map((path) => {
        const ours = first[paths.indexOf(path)];
        const theirs = files.find((file) => file.path === path);
        if (ours?.isPending) return <div key={path} className="skeleton" aria-busy="true" />;
        if (ours?.data?.unshown !== undefined || theirs?.unshown !== undefined)
          return <Empty key={path}>{path} is no text, or too large to be shown here.</Empty>;
        // A file that one of them left alone is there as it was before.
        const before = (ours?.data ? ours.data.after : theirs?.before) ?? '';
        const after = (theirs ? theirs.after : ours?.data?.before) ?? '';
        return <Sides key={path} path={path} before={before} after={after} view="split" point={() => {}} />;
      })}
    </>
  );
}
