/** Variables that make a program load or start another one. A task or a command that sets one runs what it likes. */
const LOADER =
  /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|SSH_ASKPASS|PAGER|EDITOR|VISUAL|BROWSER|GIT_(?:SSH|SSH_COMMAND|ASKPASS|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*|DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE))$/i;

export function isLoaderVariable(name: string): boolean {
  return LOADER.test(name);
}

/** Why a task, a command or a file of a project may not set these variables; undefined: it may. */
export function loaderProblem(env: { readonly [name: string]: unknown }): string | undefined {
  const names = Object.keys(env).filter(isLoaderVariable);
  if (names.length === 0) return undefined;
  return `${names.join(', ')} may not be set here: it makes programs load or start others`;
}
