import { fromCargo } from './detect/cargo.ts';
import type { DetectedCommands } from './detect/found.ts';
import { fromGo } from './detect/go.ts';
import { fromMakefile } from './detect/makefile.ts';
import { fromPackageJson } from './detect/package-json.ts';
import { fromPyproject } from './detect/pyproject.ts';

export type { DetectedCommands } from './detect/found.ts';

/** In order of trust: what the project wrote down itself comes before what its tool chain implies. */
const SOURCES = [fromPackageJson, fromMakefile, fromPyproject, fromCargo, fromGo];

export function detectCommands(projectDir: string): DetectedCommands {
  return SOURCES.reduceRight<DetectedCommands>((found, source) => ({ ...found, ...source(projectDir) }), {});
}
