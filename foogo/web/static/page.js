// Small helpers for the page: elements, numbers as text, files to save.

/** The element with an id. @returns {any} */
export const byId = id => document.getElementById(id);

/** A new element with properties and children. @returns {any} */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Show buttons; those that are shown already stay, so that they keep the focus, and a click that has begun. */
export function showButtons(place, wanted) {
  while (place.children.length > wanted.length) place.lastElementChild.remove();
  wanted.forEach((one, i) => Object.assign(place.children[i] ?? place.appendChild(make('button')), one));
}

/** A new SVG element with attributes and children. @returns {any} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
export function signed(value, digits = 1) {
  const size = Math.abs(value).toFixed(digits);
  return (Number(size) === 0 ? '' : value < 0 ? '−' : '+') + size;
}

export const grouped = value => Math.round(value).toLocaleString('en');

/** A number in few characters: 950, 12.3k, 4.5M. */
export function short(value) {
  if (value < 999.5) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1e3] : ['M', 1e6];
  return (value / size).toPrecision(3).replace(/\.0+$/, '') + unit;
}

/** Offer a file for download. */
export function save(name, content, type = 'text/plain') {
  const link = make('a', {download: name, href: URL.createObjectURL(new Blob([content], {type}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What `use` returns of a storage of the browser; null if the storage is blocked, full or damaged. */
function stored(kind, use) {
  try {
    return use(window[kind]);
  } catch {
    return null;
  }
}

/** Keep a value until this tab is closed, or in `localStorage` for good; nothing is kept if it is too large. */
export const keep = (name, value, kind = 'sessionStorage') => stored(kind, storage => {
  storage.removeItem(name);
  storage.setItem(name, JSON.stringify(value));
});

/** The value that was kept; null if there is none. */
export const kept = (name, kind = 'sessionStorage') => stored(kind, storage => JSON.parse(storage.getItem(name)));

const STYLES = ['fill', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor',
  'dominant-baseline', 'visibility'];

/** An SVG element as a file that needs no style sheet. */
export function standalone(picture) {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of STYLES) element.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}

/** An SVG element as a PNG file, `width` pixels wide. @returns {Promise<Blob>} */
export async function png(picture, width = 1600) {
  const box = picture.viewBox.baseVal;
  const image = new Image(width, Math.round(width * box.height / box.width));
  const text = standalone(picture).replace('<svg ', `<svg width="${image.width}" height="${image.height}" `);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = make('canvas', {width: image.width, height: image.height});
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
