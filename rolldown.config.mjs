import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { loopwright: 'dist/cli/main.js' },
  platform: 'node',
  output: {
    dir: 'dist/bin',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Every start reads it all; names stay, so that a stack trace still tells something.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
});
