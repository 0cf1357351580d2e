import { type DetectedCommands, readText } from './detect/found.ts';
import { fromMakefile } from './detect/makefile.ts';
import { fromPackageJson } from './detect/package-json.ts';
import { fromPyproject } from './detect/pyproject.ts';

export type { DetectedCommands } from './detect/found.ts';

/** In order of trust: what the project wrote down itself comes before what its tool chain implies. */
const SOURCES = [fromPackageJson, fromMakefile, fromPyproject, fromCargo, fromGo];

export function detectCommands(projectDir: string): DetectedCommands {
  return SOURCES.reduceRight<DetectedCommands>((found, source) => ({ ...found, ...source(projectDir) }), {});
}

function fromCargo(projectDir: string): DetectedCommands {
  if (readText(projectDir, 'Cargo.toml') === undefined) return {};
  const from = 'Cargo.toml';
  return {
    test: { command: ['cargo', 'test'], from },
    lint: { command: ['cargo', 'clippy', '--', '-D', 'warnings'], from },
    build: { command: ['cargo', 'build'], from },
  };
}

function fromGo(projectDir: string): DetectedCommands {
  if (readText(projectDir, 'go.mod') === undefined) return {};
  const from = 'go.mod';
  return {
    test: { command: ['go', 'test', './...'], from },
    lint: { command: ['go', 'vet', './...'], from },
    build: { command: ['go', 'build', './...'], from },
  };
}
