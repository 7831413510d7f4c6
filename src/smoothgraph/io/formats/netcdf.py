"""NetCDF: a variable of several dimensions, with its coordinates, through xarray."""

import io
import warnings
from typing import BinaryIO

from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.formats.hdf5 import open_hdf5
from smoothgraph.io.labeled_arrays import choose_variable, table_of_data_array
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.support.optional import load_optional

_ENGINES = {b"CDF": "scipy", b"\x89HDF": "h5netcdf"}  # by the first bytes


@register
class NetCdf(TableFormat):
    """The variable named by the key, or the only one of numbers with two dimensions or more."""

    name = "netcdf"
    suffixes = (".nc", ".nc4")
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        xarray = load_optional("xarray", needed_by="reading NetCDF", extra="netcdf")
        data = file.read()
        engine = next((engine for magic, engine in _ENGINES.items() if data.startswith(magic)), None)
        if engine is None:
            raise FileError("expected a NetCDF file, which begins with CDF or HDF, got other content; name its format")
        if engine == "h5netcdf":
            load_optional("h5netcdf", needed_by="reading NetCDF", extra="netcdf")
            with open_hdf5(io.BytesIO(data)):  # refuses data that is in other files
                pass
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the attributes of the file say
            with xarray.open_dataset(io.BytesIO(data), engine=engine) as dataset:
                return table_of_data_array(choose_variable(dataset, options.key).load(), options)
