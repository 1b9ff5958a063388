-- Letters of other lists that were taken for countries: whoever wrote them counted as living outside of the Union.
update billing_customers set country = 'GR' where country = 'EL';
update billing_customers set country = 'GB' where country = 'UK';
update billing_settings set country = 'GR' where country = 'EL';
update billing_settings set country = 'GB' where country = 'UK';
