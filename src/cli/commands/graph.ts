import { requireManifest } from '../../manifest/compile.ts';
import { drawGraph, mermaid } from '../../manifest/graph.ts';
import { openProject } from '../../project/open.ts';
import { withProjectWorkers } from '../../project/runs/roster.ts';
import { readWorkflow } from '../../project/runs/workflow.ts';
import type { Screen } from '../output.ts';

export interface GraphOptions {
  readonly mermaid?: true;
  readonly start?: string;
  readonly dir?: string;
  readonly json?: true;
}

export async function graph(
  screen: Screen,
  named: string | undefined,
  options: GraphOptions,
): Promise<number> {
  const { project, config, services } = openProject(options.dir);
  const workflow = readWorkflow(project, config.workflow, named);
  const document = withProjectWorkers(workflow.document, config.workers);
  const { manifest } = requireManifest(document, { file: workflow.name, config: services.config });
  const start = options.start ?? Object.keys(manifest.nodes)[0];
  if (options.json) screen.json(manifest);
  else if (options.mermaid) screen.line(mermaid(manifest).trimEnd());
  else {
    screen.line(drawGraph(manifest, start === undefined ? {} : { start }));
    screen.line(`${screen.style.cyan('next:')} ${project.command('validate', workflow.name)}`);
  }
  return 0;
}
