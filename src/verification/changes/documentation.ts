const EXTENSIONS = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt)$/i;
const PLACES = /(?:^|\/)docs?\//i;
const NAMES = /(?:^|\/)(?:README|CHANGELOG|LICENSE|CONTRIBUTING|AUTHORS|NOTICE)$/i;
/** Text files that programs read. */
const NOT_PROSE = /(?:^|\/)(?:requirements[^/]*|CMakeLists|robots|constraints[^/]*)\.txt$/i;
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|sh|sql|css|scss|html|vue|svelte)$/i;

/** Whether nothing but documentation was changed, even when nothing was changed at all. */
export function isDocumentationOnly(paths: readonly string[]): boolean {
  return paths.every(isDocumentation);
}

function isDocumentation(path: string): boolean {
  if (NOT_PROSE.test(path)) return false;
  return EXTENSIONS.test(path) || NAMES.test(path) || (PLACES.test(path) && !CODE.test(path));
}
