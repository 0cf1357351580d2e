import type { Environment } from './child-env.ts';

/** What a child is, which decides what it may know of the environment. */
export type ChildKind = 'agent' | 'check' | 'setup' | 'program' | 'git' | 'remote';

/** Variables that a kind of child gets beyond what every program needs, by name or as `NAME_*`. */
export type Grants = { readonly [kind in ChildKind]?: readonly string[] };

/** Where things are, how text is written, how the network is reached: what any program needs to run at all. */
const COMMON = `PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR FORCE_COLOR CI TMPDIR TMP TEMP
  XDG_* HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
  SYSTEMROOT WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE PROGRAMFILES PROGRAMDATA`;

/** Where toolchains live; a value that is a folder says nothing about a person. */
const TOOLCHAINS = `NODE_ENV NVM_* VOLTA_HOME FNM_* ASDF_* MISE_* PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR
  JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT GOPATH GOROOT GOCACHE GOMODCACHE
  GOFLAGS GOPROXY CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN PYENV_* VIRTUAL_ENV CONDA_* PYTHONPATH
  PYTHONDONTWRITEBYTECODE PIP_CACHE_DIR POETRY_HOME RBENV_* GEM_HOME GEM_PATH BUNDLE_PATH COMPOSER_HOME DOTNET_ROOT
  NUGET_PACKAGES CC CXX CFLAGS CXXFLAGS LDFLAGS PKG_CONFIG_PATH MAKEFLAGS CMAKE_*`;

/** Ways to a person's keys and prompts, for the one git that speaks to a remote in their name. */
const REMOTE =
  'SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS DISPLAY WAYLAND_DISPLAY GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS';

const ALLOWED: { readonly [kind in ChildKind]: readonly string[] } = {
  agent: words(COMMON, TOOLCHAINS),
  check: words(COMMON, TOOLCHAINS),
  setup: words(COMMON, TOOLCHAINS, 'npm_config_cache npm_config_registry NPM_CONFIG_REGISTRY PIP_INDEX_URL'),
  program: words(COMMON, TOOLCHAINS),
  git: words(
    COMMON,
    'GIT_AUTHOR_* GIT_COMMITTER_* EMAIL GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM',
  ),
  remote: words(COMMON, REMOTE),
};

/**
 * The part of an environment that a child of this kind is given. Everything else stays here, above all tokens: what
 * a child needs beyond this is named in the settings (`granted`), each variable or a group of them (`APP_*`).
 */
export function environmentFor(
  kind: ChildKind,
  env: Environment,
  granted: readonly string[] = [],
): Environment {
  const matches = [...ALLOWED[kind], ...granted].map(matcher);
  return Object.fromEntries(Object.entries(env).filter(([name]) => matches.some((match) => match(name))));
}

function matcher(name: string): (candidate: string) => boolean {
  const prefix = name.endsWith('*') ? name.slice(0, -1) : undefined;
  return prefix === undefined ? (other) => other === name : (other) => other.startsWith(prefix);
}

function words(...lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(/\s+/)).filter((word) => word !== '');
}
