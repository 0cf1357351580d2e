import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { loopwright: 'dist/cli/main.js' },
  platform: 'node',
  output: { dir: 'dist/bin', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', minify: false },
});
