import { compileManifest } from '../../manifest/compile.ts';
import { ManifestInvalidError } from '../../manifest/load-error.ts';
import { isModelName } from '../../manifest/model-name.ts';
import type { Problem } from '../../manifest/problem.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { workersFor } from '../../workers/workers-for.ts';
import type { OpenProject } from '../open.ts';
import { knownWorkers } from './known-workers.ts';
import { notConfigured, unconfigured, withAgent, withProjectWorkers } from './roster.ts';
import type { Workflow } from './workflow.ts';

/** The workflow with the project's workers in it, resolved and checked under the name a person knows it by. */
export function prepareManifest(
  workflow: Workflow,
  { project, config, services }: OpenProject,
  agent?: string,
): { readonly manifest: ResolvedManifest; readonly warnings: readonly Problem[] } {
  // The person named it, so it is not the manifest that has to be corrected.
  if (agent !== undefined && !isModelName(agent)) services.adapters?.metadata(agent);
  const configured = withProjectWorkers(workflow.document, config.workers);
  const document = agent === undefined ? configured : withAgent(configured, agent);
  const given = workersFor(services);
  const missing = unconfigured(document).filter((name) => given.get(name) === undefined);
  const { manifest, problems } = compileManifest(document, {
    file: workflow.name,
    workers: knownWorkers(services, missing),
    config: services.config,
  });
  if (!manifest) throw new ManifestInvalidError(problems);
  const used = missing.find((name) => usedBy(manifest).has(name));
  if (used !== undefined) throw notConfigured(used, project);
  return { manifest, warnings: problems };
}

function usedBy(manifest: ResolvedManifest): Set<string> {
  return new Set(Object.values(manifest.blocks).map((block) => block.worker));
}
