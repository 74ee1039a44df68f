import { useBranding, useBrandName } from '#branding/branding.ts';

/** The logo and the name of the team, or those of Lectern. */
export function Logo() {
  const branding = useBranding();
  const name = useBrandName();
  return (
    <span className={branding === undefined ? 'logo logo-pending' : 'logo'}>
      {branding?.logoUrl ? (
        <img src={branding.logoUrl} alt="" className="logo-image" />
      ) : (
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect width="32" height="32" rx="8" className="logo-back" />
          <path
            d="M7 9.5 16 7l9 2.5v3L16 10l-9 2.5zM10 15l6-1.7 6 1.7v2.4l-6-1.7-6 1.7zm4.6 4h2.8v6h-2.8z"
            className="logo-front"
          />
        </svg>
      )}
      <span className="logo-name">{name}</span>
    </span>
  );
}
