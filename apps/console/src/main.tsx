import { preferredLanguage } from '#texts/language.ts';
import { loadTexts, t } from '#texts/texts.ts';

// English texts need not be loaded.
await loadTexts(preferredLanguage()).catch(() => loadTexts('en'));
try {
  // Modules may use texts when they are loaded.
  await import('#start.tsx');
} catch (error) {
  const message = document.createElement('p');
  message.role = 'alert';
  message.textContent = t('ui.notLoaded');
  document.getElementById('root')?.replaceChildren(message);
  throw error;
}
