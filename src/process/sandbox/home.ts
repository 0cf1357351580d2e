import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Keys, tokens, histories and mail of a person, and the logins of agents, of which each sees its own. No child needs
 * the rest, whatever it is asked to do.
 */
const PRIVATE =
  `.ssh .gnupg .aws .azure .kube .docker .netrc .git-credentials .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass
  .my.cnf .password-store .vault-token .terraform.d .mozilla .thunderbird .bash_history .zsh_history .python_history
  .node_repl_history .psql_history .local/share/keyrings .config/gh .config/hub .config/glab-cli .config/gcloud
  .config/op .config/google-chrome .config/chromium .config/BraveSoftware .config/Signal .config/Slack
  .config/loopwright .claude .claude.json .codex .gemini .copilot .qwen .continue .aider.conf.yml .pi .cursor
  .local/share/opencode .config/opencode Library/Keychains Library/Cookies Library/Mail Library/Messages`
    .split(/\s+/)
    .filter((name) => name !== '');

export function privatePlaces(home: string): string[] {
  return PRIVATE.map((name) => join(home, name));
}

/** Everything in a folder, each entry by itself. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // What is not there, or cannot be read, has nothing to show.
    return [];
  }
}
