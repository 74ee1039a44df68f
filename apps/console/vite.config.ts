import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `LECTERN_URL` is the gateway that `npm run dev` forwards API requests to. */
export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    // Inlines no assets: the content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    // The bundle size test reads it.
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': process.env.LECTERN_URL ?? 'http://localhost:8080' },
  },
});
