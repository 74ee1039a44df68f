import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '#app.tsx';
import { applyTheme, savedTheme } from '#layout/theme.ts';
import '@fontsource-variable/inter/wght.css';
import '#styles/tokens.css';
import '#styles/base.css';
import '#styles/layout.css';
import '#styles/shell.css';
import '#styles/controls.css';
import '#styles/panels.css';
import '#styles/pages.css';
import '#styles/chat.css';
import '#styles/prose.css';
import '#styles/plots.css';

// Scroll locking of dialogs adds a style element. The content security policy requires this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce) setNonce(nonce);
applyTheme(savedTheme());

const root = document.getElementById('root');
if (root === null) throw new TypeError('index.html has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
