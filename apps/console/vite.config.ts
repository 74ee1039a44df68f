import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { changelogSections, readChangesets } from '../../tools/release/changesets.mjs';
import { changelogMarkdown } from './src/reference/changelog-markdown.ts';

const BASE = '/console/';
const GATEWAY = process.env.LECTERN_URL ?? 'http://localhost:8080';

/** Loads the modules and styles of `start.tsx` with the page: the entry imports it only after the texts. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {}, filename }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/start.tsx'));
      if (start === undefined || !filename.endsWith('/index.html')) return [];
      const loaded = new Set([start]);
      for (const { imports } of loaded)
        for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
      const tag = (rel: string, file: string): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel, href: BASE + file, crossorigin: true },
        injectTo: 'head',
      });
      return [...loaded].flatMap(({ fileName, viteMetadata }) => [
        ...[...(viteMetadata?.importedCss ?? [])].map((file) => tag('stylesheet', file)),
        tag('modulepreload', fileName),
      ]);
    },
  },
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const changelog = changelogMarkdown(
  readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8'),
  readChangesets(ROOT),
  changelogSections,
);

/** `LECTERN_URL` is the gateway that `npm run dev` forwards API requests to. */
export default defineConfig({
  base: BASE,
  plugins: [react(), preloadStart],
  define: { CHANGELOG: JSON.stringify(changelog) },
  build: {
    target: 'es2022',
    // Inlines no assets: the content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    // The bundle size test reads it.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'reference.html'] },
    // The library of the API reference is larger than the limit of the warning.
    chunkSizeWarningLimit: 4_000,
  },
  server: {
    proxy: { '/api': GATEWAY, '/openapi.json': GATEWAY },
  },
});
