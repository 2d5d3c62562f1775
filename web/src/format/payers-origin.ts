/** The origin of payers' pages, as the server says: this one, unless they have a host of their own. */
export const payersOrigin = document.documentElement.dataset["payers"] || window.location.origin
