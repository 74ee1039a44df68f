import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console's files. `LECTERN_URL` is where the gateway runs while one works on the console with `npm run dev`. */
export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    // Everything is a file of our own: the content security policy allows no `data:` scripts or fonts.
    assetsInlineLimit: 0,
    // What the budget of the first load is read from.
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': process.env.LECTERN_URL ?? 'http://localhost:8080' },
  },
});
