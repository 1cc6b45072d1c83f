/* css.d.ts - style sheets are taken in by the bundler; to the type checker they are nothing. */
declare module "*.css";
