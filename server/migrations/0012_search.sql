-- People search without accents and in any case, whatever the database's locale.
create function fold_text(value text) returns text
language sql immutable parallel safe strict
return translate(
  lower(value),
  'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ',
  'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'
);
