import { join } from 'node:path';
import type { Seed, World } from './home.ts';

export function codexHome({ home, work, modelUrl }: World): Seed {
  return {
    env: { CODEX_HOME: join(home, '.codex'), CODEX_LAB_KEY: 'sk-not-a-key-0123456789' },
    files: { '.codex/config.toml': config(modelUrl, work) },
  };
}

function config(modelUrl: string, work: string): string {
  return `model = "fake-model"
model_provider = "loopback"
check_for_update_on_startup = false
[model_providers.loopback]
name = "loopback"
base_url = "${modelUrl}/v1"
env_key = "CODEX_LAB_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[otel]
exporter = "none"
[projects."${work}"]
trust_level = "trusted"
`;
}
