import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { routes } from '../src/api/routes/routes.ts';

/** The page knows of the contract only its types, and where each route is: no schema is shipped to a browser. */
const where = Object.fromEntries(
  Object.entries(routes).map(([name, { method, path }]) => [name, [method, path]]),
);

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { 'node:util': fileURLToPath(new URL('src/text/node-util.ts', import.meta.url)) } },
  define: { __ROUTES__: JSON.stringify(where) },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
