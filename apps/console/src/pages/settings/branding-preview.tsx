import { useEffect, useRef } from 'react';
import { THEMES, themeColors } from '#branding/colors.ts';

const TEXT = { light: '#1b2030', dark: '#e8eaf0' } as const;

/** A sample of a page in one theme. The color is Lectern's own if `accent` is undefined. */
function Sample({
  name,
  theme,
  accent,
}: {
  readonly name: string;
  readonly theme: keyof typeof THEMES;
  readonly accent: string;
}) {
  const sample = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The policy of the page allows no style attributes in HTML, but scripts can set styles.
    const colors = themeColors(accent)[theme];
    const values = { ...colors, surface: THEMES[theme].surface, page: TEXT[theme] };
    for (const [use, value] of Object.entries(values)) sample.current?.style.setProperty(`--sample-${use}`, value);
  }, [accent, theme]);
  return (
    <div className="brand-sample" ref={sample}>
      <p className="small">{theme === 'light' ? 'Light theme' : 'Dark theme'}</p>
      <p className="brand-sample-name">{name}</p>
      <p>
        <span className="brand-sample-button">Button</span> <span className="brand-sample-link">Link</span>{' '}
        <span className="brand-sample-soft">Selected</span>
      </p>
    </div>
  );
}

/** How the color looks in both themes, with the shades that the pages use. */
export function BrandingPreview({ name, accent }: { readonly name: string; readonly accent: string | undefined }) {
  const { light, dark } = themeColors(accent ?? '#4338ca');
  const isChanged =
    accent !== undefined && (light.accent !== accent.toLowerCase() || dark.accent !== accent.toLowerCase());
  return (
    <section className="stack" aria-label="Preview">
      <h3>Preview</h3>
      <div className="brand-samples">
        <Sample name={name} theme="light" accent={accent ?? '#4338ca'} />
        <Sample name={name} theme="dark" accent={accent ?? '#4338ca'} />
      </div>
      {isChanged ? (
        <p className="muted small">
          For readable text, the pages use {light.accent} in the light theme and {dark.accent} in the dark theme.
        </p>
      ) : null}
    </section>
  );
}
