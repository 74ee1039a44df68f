export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="logo-back" />
        <path
          d="M7 9.5 16 7l9 2.5v3L16 10l-9 2.5zM10 15l6-1.7 6 1.7v2.4l-6-1.7-6 1.7zm4.6 4h2.8v6h-2.8z"
          className="logo-front"
        />
      </svg>
      Lectern
    </span>
  );
}
